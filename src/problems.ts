// What can go wrong: every code, its HTTP status and its sentence. A refusal that is not here does not compile.

export const problems = {
  // the question itself
  malformed_json: [400, 'The request body is not valid JSON'],
  invalid_input: [422, 'Some fields need attention'],
  too_large: [413, 'This is larger than we accept'],
  unsupported_media_type: [415, 'This content type is not accepted here'],
  method_not_allowed: [405, 'This address does not answer that method'],
  not_found: [404, 'Not found'],
  idempotency_key_reused: [422, 'This request key was already used for something else'],

  // who is asking
  not_signed_in: [401, 'Please sign in'],
  two_step_needed: [403, 'Please confirm your second step first'],
  account_pending: [403, 'Your account is not active yet'],
  forbidden: [403, 'Your role does not allow this'],

  // the house itself
  too_many_requests: [429, 'Too many requests. Please wait a moment and try again'],
  unavailable: [503, 'The service is not available right now. Please try again in a moment'],
  busy: [503, 'The service is very busy. Please try again in a moment'],
  internal: [500, 'Something went wrong. It has been recorded, please try again'],
} as const satisfies Record<string, readonly [status: number, title: string]>

export type ProblemCode = keyof typeof problems

type Particulars = {
  /** What is wrong with each field, for the form. */
  fields?: Record<string, string[]> | undefined
  /** Figures the sentence alone can't give, such as how much is left. */
  facts?: Record<string, string | number> | undefined
}

export class Problem extends Error {
  readonly code: ProblemCode
  readonly fields: Record<string, string[]> | undefined
  readonly facts: Record<string, string | number> | undefined

  constructor(code: ProblemCode, particulars: Particulars = {}) {
    super(problems[code][1])
    this.code = code
    this.fields = particulars.fields
    this.facts = particulars.facts
  }
}

export const isProblemCode = (name: unknown): name is ProblemCode =>
  typeof name === 'string' && Object.hasOwn(problems, name)

/** Throws the reason a policy gave, if it gave one. */
export function allow(reason: ProblemCode | undefined): void {
  if (reason) throw new Problem(reason)
}
