// A login link for a browser that pictures are taken with: each works once.
export async function newLoginUrl(url, token) {
  const answer = await fetch(`${url}/api/login/codes`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
  });
  return (await answer.json()).login_url;
}
