// A path whose end is always readable: where it is too long, the middle is left out, because the last part tells directories
// apart.
export function PathText({ path }: { path: string }) {
  const cut = path.replace(/\/+$/, "").lastIndexOf("/") + 1;
  return (
    <span className="flex min-w-0">
      {cut > 0 && <span className="min-w-0 shrink truncate">{path.slice(0, cut)}</span>}
      <span className="max-w-full min-w-0 shrink-0 truncate">{path.slice(cut)}</span>
    </span>
  );
}
