// The texts of postings: numbers of claims and payouts. No names, and nothing about health.
type PostingFacts = {
  event: string
  claim_id: number | null
  run_id: number | null
  note: string | null
}

const texts: Record<string, (posting: PostingFacts) => string> = {
  contribution: ({ note }) => `Contribution ${note ?? ''}`.trim(),
  contribution_reversed: () => 'Contribution reversed',
  claim_approved: ({ claim_id }) => `Claim ${claim_id} approved`,
  claim_undone: ({ claim_id }) => `Claim ${claim_id}, approval undone`,
  claim_reversed: ({ claim_id }) => `Claim ${claim_id} reversed`,
  claim_paid: ({ claim_id, run_id }) => `Payout ${run_id}, claim ${claim_id}`,
  payment_returned: ({ claim_id, run_id }) => `Payout ${run_id}, claim ${claim_id} returned`,
  overpaid_recovered: ({ claim_id, run_id }) =>
    claim_id === null
      ? `Payout ${run_id}, withheld`
      : `Payout ${run_id}, claim ${claim_id} returned`,
  overpaid_paid_back: () => 'Overpayment paid back',
  overpaid_written_off: () => 'Overpayment written off',
  written_off_returned: ({ claim_id, run_id }) =>
    `Payout ${run_id}, claim ${claim_id} returned, was written off`,
  withheld: ({ run_id }) => `Payout ${run_id}, correction`,
  withheld_returned: ({ run_id }) => `Payout ${run_id}, correction of a return`,
}

export const postingText = (posting: PostingFacts): string =>
  texts[posting.event]?.(posting) ?? posting.event
