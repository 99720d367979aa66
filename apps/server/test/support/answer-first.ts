// Waits for the first open question of a session, and answers it.
import type { Question } from "@patchbay/protocol";
import type { TestViewer } from "@patchbay/testing/socket-client";

export async function firstQuestion(viewer: TestViewer): Promise<Question> {
  await viewer.until(() => (viewer.session?.pending.length ?? 0) > 0);
  const question = viewer.session?.pending[0];
  if (question === undefined) throw new Error("the question is gone");
  return question;
}

/** Resolves, with the question, when it is no longer open. */
export async function answerFirst(viewer: TestViewer, value: string): Promise<Question> {
  const question = await firstQuestion(viewer);
  viewer.send({ type: "extension_ui_response", id: question.id, value });
  await viewer.until(() => viewer.session?.pending.every(({ id }) => id !== question.id) === true);
  return question;
}
