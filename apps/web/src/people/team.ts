// The people of this server, as this browser's person sees them. Read when a view needs them first, and again after each change.
import type { SessionInfo } from "@patchbay/protocol";
import { useEffect } from "react";
import { create } from "zustand";
import { readTeam, type Team } from "../api/people.ts";
import { errorMessage } from "../format/error-message.ts";
import { peopleTexts as text } from "./texts.ts";

interface TeamStore {
  team: Team | null;
  error: string | null;
  refetch(): Promise<void>;
}

export const useTeamStore = create<TeamStore>((set) => ({
  team: null,
  error: null,
  async refetch() {
    await readTeam().then(
      (team) => set({ team, error: null }),
      (error: unknown) => set({ error: errorMessage(error) }),
    );
  },
}));

/** Reads the team again whenever a view that shows it is opened. */
export function useTeam(): TeamStore {
  const store = useTeamStore();
  const { refetch } = store;
  useEffect(() => void refetch(), [refetch]);
  return store;
}

export const ownerName = ({ owner }: Pick<SessionInfo, "owner">, team: Team | null): string =>
  team?.people.find(({ id }) => id === owner)?.name ?? text.theOwner;
