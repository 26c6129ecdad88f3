// How large and how many receipts are.
export const receipt_limits = {
  bytes: 10 * 1024 * 1024,
  each_claim: 5,
  /** Waiting to be sent with a claim. */
  unattached: 20,
  /** The most pages of a PDF. */
  pages: 20,
  /** Parts blacked out at once. */
  parts: 50,
  /** The shortest side of such a part, of its page's. */
  part_side: 0.005,
} as const
