// What went wrong that no place on the screen could show: said here by whoever knows it, and shown by toast.tsx. Apart
// from it, because the first screen's copy buttons know it too, and must not bring along what shows it.
import { create } from "zustand";

export const useProblem = create<{ words: string | null }>(() => ({ words: null }));

export const complain = (words: string): void => useProblem.setState({ words });
