// A verdict of the rules on a claim, sealed by the server that evaluated them: the database believes nobody else.
import { createHash, createHmac } from 'node:crypto'

type RecordedVerdict = {
  /** The claimant. */
  by: string
  /** The transaction in which the facts were read: it holds in no other. */
  within: string
  /** The claim, as it was evaluated; for an appeal, the claim that it is of. */
  claim: object
  receipts: string
  decision: object
}

export type SealVerdict = (
  verdict: RecordedVerdict,
  trace: readonly object[],
) => { verdict: string; trace: string; seal: Buffer }

/** Each server derives it and tells the database when it starts, where the login of requests cannot read it. */
export const verdictKey = (installation_key: Buffer) =>
  createHmac('sha256', installation_key).update('verdicts').digest()

export const sealVerdicts =
  (key: Buffer): SealVerdict =>
  (...parts) => {
    const [verdict = '', trace = ''] = parts.map((part) => JSON.stringify(part))
    const seal = createHash('sha256').update(key).update(hashOf(verdict)).update(hashOf(trace))
    return { verdict, trace, seal: seal.digest() }
  }

const hashOf = (text: string) => createHash('sha256').update(text).digest()
