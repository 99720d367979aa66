// Sets the theme before the first paint. A file of its own, because the content security policy
// forbids inline scripts and the page's module runs too late to prevent a flash.
try {
  const stored = localStorage.getItem("patchbay.theme");
  const dark =
    stored === "dark" || (stored !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
} catch {
  document.documentElement.dataset.theme = "dark"; // storage is forbidden here: any theme will do
}
