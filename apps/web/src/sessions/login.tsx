// What somebody without the token sees: where to find the link, and a field for the token.
import { type FormEvent, useState } from "react";
import { base } from "../api/base.ts";
import { Button } from "../ui/button.tsx";
import { controlClass, Field } from "../ui/field.tsx";
import { Logo } from "../ui/logo.tsx";

export function Login({ message }: { message: string }) {
  const [token, setToken] = useState("");
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const given = tokenIn(token);
    if (given === "") return setProblem("Paste the link or the token first.");
    location.assign(`${base}/?token=${encodeURIComponent(given)}`);
  };
  return (
    <main className="flex min-h-full items-center justify-center px-5 py-10">
      <div className="w-full max-w-[420px]">
        <div className="mb-6 flex items-center gap-2.5 text-base font-semibold">
          <Logo size={22} /> Patchbay
        </div>
        <h1 className="text-xl font-semibold tracking-[-0.015em]">Log in</h1>
        <p className="mt-2 text-muted">{message}</p>
        <p className="mt-2 text-muted">
          It stands in the terminal where Patchbay was started, and looks like this:
        </p>
        <pre className="mt-3 overflow-x-auto rounded-md border border-line bg-sunken px-3 py-2 font-mono text-xs text-muted">
          {location.origin + base}/?token=<span className="text-accent">…</span>
        </pre>
        <form onSubmit={submit} className="mt-6 flex flex-col gap-1.5">
          <Field label="Link or token" error={problem}>
            {(control) => (
              <input
                {...control}
                type="password"
                autoComplete="current-password"
                value={token}
                onChange={(event) => setToken(event.target.value)}
                className={`${controlClass} font-mono`}
              />
            )}
          </Field>
          <div>
            <Button look="primary" type="submit">
              Log in
            </Button>
          </div>
        </form>
      </div>
    </main>
  );
}

/** People paste the whole link as often as the token alone. */
function tokenIn(text: string): string {
  const given = text.trim();
  return /[?&]token=([^&\s]+)/.exec(given)?.[1] ?? given;
}
