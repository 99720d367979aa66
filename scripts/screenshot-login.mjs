// Logins for the pictures: a link for the browser that takes them, and other devices to be listed beside it.

/** Each works once. */
export async function newLoginUrl(url, token) {
  const answer = await fetch(`${url}/api/login/codes`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
  });
  return (await answer.json()).login_url;
}

const chrome = (system) =>
  `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36`;

/** What the browser of the pictures calls itself. */
export const browserOf = (size) =>
  chrome(size === "phone" ? "Linux; Android 15; Pixel 9" : "X11; Linux x86_64");

const others = [
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
];

/** These and no others are logged in. */
export async function logInOthers(url, token) {
  await fetch(`${url}/api/logins`, { method: "DELETE", headers: { authorization: `Bearer ${token}` } });
  for (const userAgent of others)
    await fetch(`${url}/api/login`, {
      method: "POST",
      headers: { "content-type": "application/json", "user-agent": userAgent },
      body: JSON.stringify({ token }),
    });
}
