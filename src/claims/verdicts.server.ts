// A verdict of the rules on a claim, sealed by the server that evaluated them: the database accepts no other.
import { createHash, createHmac } from 'node:crypto'

type RecordedVerdict = {
  /** The claimant. */
  by: string
  /** The transaction in which the facts were read; the verdict holds in no other. */
  within: string
  /** The claim as it was evaluated; for an appeal, the appealed claim. */
  claim: object
  receipts: string
  decision: object
}

export type SealVerdict = (
  verdict: RecordedVerdict,
  trace: readonly object[],
) => { verdict: string; trace: string; seal: Buffer }

/** Each server derives the key and gives it to the database at its start, where the login of requests can't read it. */
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
