import { defineTexts } from "../../language/catalogue.ts";

export const directoryTexts = defineTexts("new-session/directory", {
  directory: "Directory",
  directories: "Directories",
  chooseDirectory: "Choose a directory",
  typePath: "Filter, or type a path: ~/code, /srv",
  browse: "Browse the home directory",
  openDirectory: "Show what is inside",
  choosesIt: "choose",
  opensIt: "open",
  moreDirectories: "More directories. Type to narrow.",
  noDirectory: "No directory here that sessions may use.",
  noRecent: "No recent directory matches. Type a path that starts with ~ or /.",
  notFound: "not found",
  git: "git",
  repository: "A git repository",
  onBranch: (branch: string) => `On branch ${branch}`,
});
