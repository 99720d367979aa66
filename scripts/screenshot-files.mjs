// The pictures of a session's files: what it has changed, with a comment on a line, and its directory to be read.

export async function filesScene({ page, shoot, phone, address }) {
  await page.goto(address);
  const tree = page.getByRole("navigation", { name: "Changed files" });
  await tree.getByRole("button", { name: /retry\.mjs/ }).waitFor();
  if (phone) await shoot("files-list");
  await tree.getByRole("button", { name: /retry\.mjs/ }).click();
  const line = page.getByRole("row", { name: /attempts = 5/ });
  await line.hover();
  await line.getByRole("button", { name: /^Comment on line/ }).click();
  await page.getByLabel("Comment for the agent").fill("Four are enough: the caller waits meanwhile.");
  await page.getByRole("button", { name: "Add comment" }).click();
  await shoot("files");
  if (phone) await page.getByRole("button", { name: "Back to the files" }).click();
  await page.getByRole("tab", { name: "Files", exact: true }).click();
  const files = page.getByRole("navigation", { name: "All files" });
  const folder = files.getByRole("button", { name: /^src/ });
  await folder.waitFor();
  if (phone) await folder.click(); // beside an open file it is open already
  await files.getByRole("button", { name: /retry\.mjs/ }).click();
  await page.locator(".hljs-keyword").first().waitFor();
  await shoot("directory");
}
