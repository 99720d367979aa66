/** The link of a row whose area is the whole row, which must be `relative`: a click anywhere follows it, and the focus ring is around the row. */
export const rowLink =
  "outline-none after:absolute after:inset-0 after:rounded-sm focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent";
