// What the sender of a socket may do while it is open. Rights can be taken away meanwhile: each command is checked, and a socket whose
// sender may no longer use it is closed at once.
import type { WebSocket } from "@fastify/websocket";
import { type ErrorCode, PatchbayError, type ViewerCommand } from "@patchbay/protocol";
import type { FastifyRequest } from "fastify";
import type { Access, Principal } from "../access/access.ts";
import { addressOf } from "../access/credentials.ts";
import type { Action } from "../access/policy.ts";
import type { Actor, Rights } from "../access/rights.ts";
import { closeSocket } from "./socket-viewer.ts";

/** A command of a viewer. `refusal`: why it was not executed; null: it was. */
interface HeardCommand {
  actor: Actor;
  principal: Principal;
  address: string;
  session: string;
  command: ViewerCommand;
  refusal: PatchbayError | null;
}

/** Must return at once, and throw nothing. */
export type CommandListener = (heard: HeardCommand) => void;

export type OpenGate = (request: FastifyRequest) => SocketGate;

export class SocketGate {
  readonly #access: Access;
  readonly #rights: Rights;
  readonly #principal: Principal;
  readonly #address: string;
  readonly #listeners: readonly CommandListener[];

  constructor(
    { access, rights, listeners }: { access: Access; rights: Rights; listeners: readonly CommandListener[] },
    request: FastifyRequest,
  ) {
    const { principal } = request;
    if (principal === null) throw new PatchbayError("not_logged_in");
    this.#address = addressOf(request);
    this.#listeners = listeners;
    this.#access = access;
    this.#rights = rights;
    this.#principal = principal;
  }

  /** Throws when the sender may not use this server any more. */
  get actor(): Actor {
    return this.#access.actorOf(this.#principal);
  }

  /** Why the sender may not; null: they may. */
  refusal(action: Action, session?: string): PatchbayError | null {
    try {
      return this.#rights.refusal(this.actor, action, session);
    } catch (error) {
      if (error instanceof PatchbayError) return error;
      throw error;
    }
  }

  /** Like `refusal`, for a command; listeners hear of it. */
  admit(command: ViewerCommand, action: Action, session: string): PatchbayError | null {
    const refusal = this.refusal(action, session);
    if (this.#listeners.length > 0 && this.#access.people.isTeam) this.#announce(command, session, refusal);
    return refusal;
  }

  #announce(command: ViewerCommand, session: string, refusal: PatchbayError | null): void {
    if (refusal?.code === "login_ended") return; // the sender is nobody any more, and the socket closes
    const heard = { actor: this.actor, principal: this.#principal, address: this.#address };
    for (const listener of this.#listeners) listener({ ...heard, session, command, refusal });
  }

  sees(session: string): boolean {
    return this.refusal("session.watch", session) === null;
  }

  /** Closes the socket when its sender may no longer do this. */
  closeUnlessAllowed(socket: WebSocket, action: Action, session?: string): void {
    socket.once(
      "close",
      this.whenRefused(action, session, (code) => closeSocket(socket, code)),
    );
  }

  /** Calls `close` when the sender may no longer do this. Returns a function that ends it. */
  whenRefused(action: Action, session: string | undefined, close: (code: ErrorCode) => void): () => void {
    const hadPeople = this.actor.person !== null;
    return this.#rights.onChange((changed) => {
      if (changed !== null && changed !== session) return;
      const refusal = this.refusal(action, session);
      if (refusal !== null) close(refusal.code);
      // The holder of the token has become a person: their page comes back at once, under their name.
      else if ((this.actor.person !== null) !== hadPeople) close("going_away");
    });
  }
}
