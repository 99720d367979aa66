// The look of the report: the app's own language in system fonts, light and dark designed apart, and black on white on paper.
export const reportStyle = `
:root{color-scheme:light dark;--bg:#fcfcfd;--text:#1b1e24;--muted:#5b6370;--line:#e2e5ea;--soft:#f3f4f7;--bar:#4a6fa5;--warn:#8f5200;--bad:#b3261e}
@media (prefers-color-scheme:dark){:root{--bg:#101216;--text:#e3e6eb;--muted:#98a1af;--line:#282d36;--soft:#181b21;--bar:#7ba0d6;--warn:#f0a43a;--bad:#ff8a80}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--text);font:14px/1.5 Inter,ui-sans-serif,system-ui,-apple-system,"Segoe UI",sans-serif;-webkit-text-size-adjust:100%}
main{max-width:860px;margin:0 auto;padding:48px 24px 80px}
h1{font-size:24px;line-height:1.25;letter-spacing:-.01em;margin:0 0 4px}
header p,.caption{margin:0;color:var(--muted);font-size:13px}
h2{font-size:15px;margin:36px 0 8px}
dl{display:grid;grid-template-columns:repeat(3,1fr);gap:1px;margin:24px 0 16px;background:var(--line);border:1px solid var(--line);border-radius:6px;overflow:hidden}
dl>div{background:var(--bg);padding:12px 16px}
dt{color:var(--muted);font-size:12px}
dd{margin:2px 0 0;font-size:18px;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
.total dd{font-weight:650}
.note{margin:8px 0;padding:8px 12px;background:var(--soft);border-left:3px solid var(--warn);border-radius:2px;max-width:76ch}
.nothing{margin:32px 0;color:var(--muted)}
svg{display:block;width:100%;height:auto;margin:8px 0 16px}
rect{fill:var(--bar)}
line{stroke:var(--line)}
table{width:100%;border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:6px 0 6px 16px;text-align:right;font-weight:400;border-bottom:1px solid var(--line);vertical-align:top}
th:first-child{padding-left:0;text-align:left;overflow-wrap:anywhere}
thead th{color:var(--muted);font-size:12px;white-space:nowrap}
.warned{color:var(--warn)}
.over{color:var(--bad)}
td{white-space:nowrap}
.days{display:grid;grid-template-columns:1fr 1fr;gap:0 48px;align-items:start;font-size:13px}
.days th,.days td{padding-top:3px;padding-bottom:3px}
@media (max-width:640px){main{padding:24px 16px 48px}dl{grid-template-columns:repeat(2,1fr)}section{overflow-x:auto}th,td{padding-left:12px}.days{grid-template-columns:1fr}th:first-child{min-width:128px}.days table+table thead{display:none}}
@media print{:root{--bg:#fff;--text:#000;--muted:#444;--line:#ccc;--soft:#fff;--bar:#333;--warn:#000;--bad:#000}
@page{margin:16mm}
body{font-size:10.5pt}
main{max-width:none;padding:0}
h2{break-after:avoid}
tr,dl,svg{break-inside:avoid}
thead{display:table-header-group}
rect{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
`;
