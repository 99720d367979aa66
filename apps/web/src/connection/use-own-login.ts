// The login of this browser, to tell its own answers from those of other devices. Read when it is first needed.
import { useEffect } from "react";
import { create } from "zustand";
import { readOwnLogin } from "../api/logins.ts";

/** Null: not read yet, or the page uses no login. */
const useLogin = create<{ id: string | null }>(() => ({ id: null }));
let reading: Promise<void> | null = null;

export function useOwnLogin(wanted: boolean): string | null {
  const id = useLogin((login) => login.id);
  useEffect(() => {
    if (!wanted) return;
    reading ??= readOwnLogin().then(
      (own) => useLogin.setState({ id: own }),
      () => {
        reading = null; // the next question tries again
      },
    );
  }, [wanted]);
  return id;
}
