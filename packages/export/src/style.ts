// The look of an exported page: the app's own language, in system fonts, light and dark designed apart, and
// readable on paper.
export const style = `
:root{color-scheme:light dark;--bg:#fcfcfd;--text:#1b1e24;--muted:#5b6370;--line:#e2e5ea;--soft:#f3f4f7;--accent:#a85f00;--add:#e3f4e6;--addt:#0f5323;--del:#fbe6e6;--delt:#8a1414;--bad:#b3261e}
@media (prefers-color-scheme:dark){:root{--bg:#101216;--text:#e3e6eb;--muted:#98a1af;--line:#282d36;--soft:#181b21;--accent:#f0a43a;--add:#11301b;--addt:#9be0ac;--del:#3a1719;--delt:#f3b0b0;--bad:#ff8a80}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--text);font:15px/1.6 Inter,ui-sans-serif,system-ui,-apple-system,"Segoe UI",sans-serif;-webkit-text-size-adjust:100%}
header,main{max-width:820px;margin:0 auto;padding:0 20px}
header{padding-top:48px}
header p{padding-bottom:20px;border-bottom:1px solid var(--line)}
h1{font-size:22px;line-height:1.3;margin:0 0 6px;overflow-wrap:anywhere}
header p{display:flex;flex-wrap:wrap;gap:2px 14px;margin:0;color:var(--muted);font-size:13px;font-variant-numeric:tabular-nums}
header span{overflow-wrap:anywhere}
main{padding-bottom:80px}
h2{font-size:13px;font-weight:600;margin:32px 0 6px}
h2.you{color:var(--accent)}
time{color:var(--muted);font-weight:400;margin-left:6px;font-variant-numeric:tabular-nums}
.prompt{white-space:pre-wrap;overflow-wrap:anywhere;max-width:76ch}
.prose{max-width:76ch;overflow-wrap:anywhere}
.prose p,.prose ul,.prose ol,.prose table,.prose blockquote{margin:8px 0}
.prose h3,.prose h4,.prose h5,.prose h6{margin:20px 0 6px;font-size:15px;line-height:1.4}
.prose h3{font-size:17px}
.prose ul,.prose ol{padding-left:22px}
.prose blockquote{margin-left:0;padding-left:12px;border-left:2px solid var(--line);color:var(--muted)}
.prose hr{border:0;border-top:1px solid var(--line);margin:16px 0}
.prose a{color:inherit;text-decoration-color:var(--accent);text-underline-offset:3px}
table{border-collapse:collapse;font-size:14px;display:block;overflow-x:auto}
th,td{border:1px solid var(--line);padding:4px 10px;text-align:left;vertical-align:top}
th{background:var(--soft);font-weight:600}
code,pre,.subject{font-family:"JetBrains Mono",ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
code{font-size:.88em;background:var(--soft);border:1px solid var(--line);border-radius:4px;padding:0 4px}
pre{font-size:12.5px;line-height:1.55;margin:0;padding:10px 12px;white-space:pre-wrap;overflow-wrap:anywhere}
pre.code{background:var(--soft);border:1px solid var(--line);border-radius:6px;margin:8px 0;white-space:pre;overflow-x:auto}
details{border:1px solid var(--line);border-radius:6px;margin:6px 0;overflow:hidden}
summary{display:flex;gap:8px;align-items:baseline;padding:5px 12px;cursor:pointer;font-size:13px;list-style:none}
summary::-webkit-details-marker{display:none}
summary::before{content:"";flex:none;width:5px;height:5px;border:solid var(--muted);border-width:0 1.5px 1.5px 0;transform:rotate(-45deg);margin-right:2px}
details[open]>summary::before{transform:rotate(45deg)}
summary:hover{background:var(--soft)}
summary:focus-visible{outline:2px solid var(--accent);outline-offset:-2px}
summary b{font-weight:600}
.subject{flex:1;min-width:0;color:var(--muted);font-size:12.5px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.end{color:var(--muted);font-size:12px;font-variant-numeric:tabular-nums;white-space:nowrap}
.failed .end,.failed b{color:var(--bad)}
details>pre,.thought{border-top:1px solid var(--line);background:var(--soft)}
details[open]>summary .subject{white-space:pre-wrap;overflow-wrap:anywhere}
.thought{padding:10px 12px;color:var(--muted);white-space:pre-wrap;overflow-wrap:anywhere;font-size:14px}
.diff{padding:6px 0}
.diff span{display:block;padding:0 12px;min-height:1.55em}
.diff .add{background:var(--add);color:var(--addt)}
.diff .del{background:var(--del);color:var(--delt)}
.diff .gap{color:var(--muted)}
.mention{display:inline-block;margin:4px 6px 0 0;padding:0 8px;border:1px solid var(--line);border-radius:4px;color:var(--muted);font-size:12.5px}
img{display:block;max-width:100%;max-height:480px;border:1px solid var(--line);border-radius:6px;margin:8px 0}
.note{border-left:2px solid var(--accent);padding:2px 0 2px 12px;margin:16px 0;font-size:13.5px;white-space:pre-wrap;overflow-wrap:anywhere}
.turn{display:flex;align-items:center;gap:10px;color:var(--muted);font-size:12px;font-variant-numeric:tabular-nums;margin:18px 0 0}
.turn::after{content:"";flex:1;border-top:1px solid var(--line)}
@media print{details{break-inside:avoid}body{background:#fff}}
`;
