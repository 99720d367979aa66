// Makes the page as high as what can be seen of it. Most browsers do that by themselves when a keyboard opens
// (index.html asks for it); on iOS the keyboard covers the page, and Send with it.

export function followVisibleHeight(view: VisualViewport | null, root: HTMLElement): void {
  if (view === null) return;
  const follow = (): void => {
    if (view.scale > 1.01) return; // zoomed in by hand: what is seen is a part, and the page stays as it is
    root.style.setProperty("--visible-height", `${Math.round(view.height)}px`);
    if (view.offsetTop > 0) window.scrollTo(0, 0); // iOS pushes the page up to show the field; it is in view already
  };
  view.addEventListener("resize", follow);
  view.addEventListener("scroll", follow);
  follow();
}
