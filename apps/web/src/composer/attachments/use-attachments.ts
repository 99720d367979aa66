// The files that go with a prompt: pasted, dropped or picked. A file that lies in the session's directory becomes
// a mention of it; another text goes along as it is.
import type { PromptImage } from "@patchbay/protocol";
import { useEffect, useRef, useState } from "react";
import { findPaths } from "../../api/search.ts";
import { useFeedState } from "../../connection/use-feed.ts";
import { errorMessage } from "../../format/error-message.ts";
import { composerTexts } from "../texts.ts";
import {
  type Attachments,
  imageCount,
  imageLimit,
  isPicture,
  noAttachments,
  readAttachedText,
  readImage,
  textCount,
} from "./attachments.ts";
import { keepAttachments, loadAttachments } from "./stored-attachments.ts";

interface Options {
  session: string;
  onProblem(problem: string | null): void;
  /** A file of the directory: its path is written instead. */
  onMention(path: string): void;
}

export function useAttachments({ session, onProblem, onMention }: Options) {
  const [attachments, setAttachments] = useState<Attachments>(noAttachments);
  // What a stopped worker can do is not known; it refuses them if it cannot.
  const refuses = useFeedState(
    ({ session }) =>
      session !== null && session.capabilities.length > 0 && !session.capabilities.includes("images"),
  );
  const loaded = useRef(false);
  useEffect(() => {
    let gone = false;
    void loadAttachments(session).then((kept) => {
      if (gone) return;
      loaded.current = true;
      // What was added meanwhile stays, behind what was there.
      setAttachments((now) => merged(kept, now));
    });
    return () => {
      gone = true;
    };
  }, [session]);
  useEffect(() => {
    if (loaded.current) void keepAttachments(session, attachments);
  }, [session, attachments]);

  const addOne = async (file: File): Promise<void> => {
    if (isPicture(file)) {
      if (file.size > imageLimit) throw new Error(composerTexts.imageTooLarge);
      const image = await readImage(file);
      return setAttachments((now) => ({ ...now, images: [...now.images, image] }));
    }
    const path = await pathOf(session, file);
    if (path !== null) return onMention(path);
    const text = await readAttachedText(file);
    setAttachments((now) => ({ ...now, texts: [...now.texts, text] }));
  };
  const add = (files: readonly File[]): void => {
    onProblem(null);
    const pictures = files.filter(isPicture).length;
    if (pictures > 0 && refuses) return onProblem(composerTexts.noImages);
    if (attachments.images.length + pictures > imageCount)
      return onProblem(composerTexts.tooManyImages(imageCount));
    if (attachments.texts.length + files.length - pictures > textCount)
      return onProblem(composerTexts.tooManyFiles(textCount));
    for (const file of files) addOne(file).catch((error: unknown) => onProblem(errorMessage(error)));
  };
  const putBack = (images: readonly PromptImage[]): void =>
    setAttachments((now) => ({ ...now, images: [...images, ...now.images].slice(0, imageCount) }));
  return { attachments, setAttachments, add, putBack };
}

const merged = (first: Attachments, then: Attachments): Attachments => ({
  images: [...first.images, ...then.images].slice(0, imageCount),
  texts: [...first.texts, ...then.texts].slice(0, textCount),
});

/** A browser does not say where a file came from: the only one of its name and size is taken for it. */
async function pathOf(session: string, file: File): Promise<string | null> {
  try {
    const found = (await findPaths(session, file.name)).filter(
      ({ path, bytes }) => bytes === file.size && (path === file.name || path.endsWith(`/${file.name}`)),
    );
    return found.length === 1 ? (found[0]?.path ?? null) : null;
  } catch {
    return null; // then its text is attached
  }
}
