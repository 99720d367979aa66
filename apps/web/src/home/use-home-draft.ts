// What is written on the home page and not sent: text and attachments, kept across a reload.
import { useEffect, useRef, useState } from "react";
import {
  type Attachments,
  imageCount,
  imageLimit,
  isPicture,
  noAttachments,
  readAttachedText,
  readImage,
  textCount,
} from "../composer/attachments/attachments.ts";
import { keepAttachments, loadAttachments } from "../composer/attachments/stored-attachments.ts";
import { loadDraft, saveDraft } from "../connection/outgoing/drafts.ts";
import { errorMessage } from "../format/error-message.ts";
import { homeTexts } from "./texts.ts";

/** Drafts of sessions are kept under their ids, which are hexadecimal. */
const key = "home";

export function useHomeDraft() {
  const [text, setText] = useState(() => loadDraft(key));
  const [attachments, setAttachments] = useState<Attachments>(noAttachments);
  const [problem, setProblem] = useState<string | null>(null);
  const loaded = useRef(false);
  useEffect(() => saveDraft(key, text), [text]);
  useEffect(() => {
    let gone = false;
    void loadAttachments(key).then((kept) => {
      if (gone) return;
      loaded.current = true;
      // What was added meanwhile stays, behind what was there.
      setAttachments((now) => ({
        images: [...kept.images, ...now.images].slice(0, imageCount),
        texts: [...kept.texts, ...now.texts].slice(0, textCount),
      }));
    });
    return () => {
      gone = true;
    };
  }, []);
  useEffect(() => {
    if (loaded.current) void keepAttachments(key, attachments);
  }, [attachments]);

  const addOne = async (file: File): Promise<void> => {
    if (isPicture(file)) {
      if (file.size > imageLimit) throw new Error(homeTexts.pictureTooLarge);
      const image = await readImage(file);
      return setAttachments((now) => ({ ...now, images: [...now.images, image] }));
    }
    const read = await readAttachedText(file);
    setAttachments((now) => ({ ...now, texts: [...now.texts, read] }));
  };
  const add = (files: readonly File[]): void => {
    setProblem(null);
    const pictures = files.filter(isPicture).length;
    if (attachments.images.length + pictures > imageCount)
      return setProblem(homeTexts.tooManyPictures(imageCount));
    if (attachments.texts.length + files.length - pictures > textCount)
      return setProblem(homeTexts.tooManyFiles(textCount));
    for (const file of files) addOne(file).catch((error: unknown) => setProblem(errorMessage(error)));
  };
  /** Its session has it now. */
  const clear = (): void => {
    saveDraft(key, "");
    void keepAttachments(key, noAttachments);
  };
  return { text, setText, attachments, setAttachments, add, problem, clear };
}
