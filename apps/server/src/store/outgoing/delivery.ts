// An event on its way to a webhook, as the store keeps it until it is delivered or given up.

export interface Delivery {
  id: string;
  url: string;
  event: string;
  body: string;
  /** How often it was tried. */
  attempts: number;
  next_at: number;
}
