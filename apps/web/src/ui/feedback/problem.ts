// A problem that no place on the screen could show: set here, and shown by problem-toast.tsx. A file of its own, because
// the copy buttons of the first screen use it, and must not load what shows it.
import { create } from "zustand";

export const useProblem = create<{ text: string | null }>(() => ({ text: null }));

export const showProblem = (text: string): void => useProblem.setState({ text });
