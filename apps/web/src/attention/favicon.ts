// The icon in the tab, with a badge drawn onto it: how many sessions need attention, that a turn is done and not read
// yet, or that an agent works.
const size = 64;

export type Badge = { kind: "needs"; count: number } | { kind: "done" } | { kind: "working" } | null;

const colours = { needs: "#f0a63a", done: "#2fae74", working: "#4a90f5" } as const;

let picture: Promise<HTMLImageElement> | undefined;

export async function drawFavicon(badge: Badge): Promise<void> {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (link === null) return;
  const plain = link.dataset["plain"] ?? link.href;
  link.dataset["plain"] = plain;
  const wanted = badge === null ? "" : `${badge.kind} ${"count" in badge ? badge.count : ""}`;
  link.dataset["badge"] = wanted;
  if (badge === null) {
    link.href = plain;
    return;
  }
  picture ??= load(plain);
  const drawn = draw(await picture, badge);
  // Another badge may have been requested meanwhile.
  if (drawn !== null && link.dataset["badge"] === wanted) link.href = drawn;
}

function load(address: string): Promise<HTMLImageElement> {
  const image = new Image(size, size);
  image.src = address;
  return image.decode().then(() => image);
}

function draw(image: HTMLImageElement, badge: NonNullable<Badge>): string | null {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = size;
  const context = canvas.getContext("2d");
  if (context === null) return null;
  context.drawImage(image, 0, 0, size, size);
  const radius = badge.kind === "needs" ? 21 : 14;
  const at = { x: size - radius, y: size - radius };
  // A gap around it, so that it stands apart from the picture on any ground.
  context.globalCompositeOperation = "destination-out";
  disc(context, at, radius + 5);
  context.globalCompositeOperation = "source-over";
  context.fillStyle = colours[badge.kind];
  disc(context, at, radius);
  if (badge.kind === "needs") {
    context.fillStyle = "#1c1305";
    context.font = "bold 32px system-ui, sans-serif";
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.fillText(badge.count > 9 ? "9+" : String(badge.count), at.x, at.y + 2);
  }
  return canvas.toDataURL("image/png");
}

function disc(context: CanvasRenderingContext2D, { x, y }: { x: number; y: number }, radius: number): void {
  context.beginPath();
  context.arc(x, y, radius, 0, Math.PI * 2);
  context.fill();
}
