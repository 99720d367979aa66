// Which session is being renamed. A store, because menus and the palette start it and the session's header shows it.
import { create } from "zustand";

export const useRenaming = create<{ id: string | null }>(() => ({ id: null }));
