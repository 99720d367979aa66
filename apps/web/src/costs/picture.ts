// The chart as a PNG that can stand alone: with a title, the total and the legend.
import { costCardTexts } from "./cards/texts.ts";

interface Picture {
  chart: HTMLCanvasElement;
  title: string;
  total: string;
  legend: readonly { name: string; total: string; colour: string }[];
}

const sans = '"Inter Variable", sans-serif';
const mono = '"JetBrains Mono Variable", monospace';

export async function drawPicture({ chart, title, total, legend }: Picture): Promise<Blob> {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  const scale = window.devicePixelRatio;
  const [top, bottom, side] = [64 * scale, (legend.length > 0 ? 44 : 12) * scale, 16 * scale];
  const canvas = document.createElement("canvas");
  canvas.width = chart.width + 2 * side;
  canvas.height = chart.height + top + bottom;
  const pen = canvas.getContext("2d");
  if (pen === null) throw new Error(costCardTexts.cannotDraw);
  pen.fillStyle = colour("--panel");
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(chart, side, top);
  pen.textBaseline = "middle";
  const write = (text: string, font: string, ink: string, x: number, y: number): number => {
    pen.font = font;
    pen.fillStyle = ink;
    pen.fillText(text, x, y);
    return x + pen.measureText(text).width;
  };
  write(title, `${13 * scale}px ${sans}`, colour("--muted"), side, 20 * scale);
  write(total, `600 ${20 * scale}px ${mono}`, colour("--ink"), side, 44 * scale);
  let x = side;
  const y = canvas.height - 20 * scale;
  for (const { name, total: sum, colour: swatch } of legend) {
    pen.fillStyle = colour(/--[\w-]+/.exec(swatch)?.[0] ?? "--faint");
    pen.fillRect(x, y - 5 * scale, 10 * scale, 10 * scale);
    x = write(name, `${12 * scale}px ${sans}`, colour("--muted"), x + 15 * scale, y);
    x = write(sum, `${12 * scale}px ${mono}`, colour("--faint"), x + 6 * scale, y) + 16 * scale;
  }
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob === null ? reject(new Error(costCardTexts.cannotSave)) : resolve(blob))),
  );
}
