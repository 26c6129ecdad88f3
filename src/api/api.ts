// The browser's way to the server: contracts as functions, with the session's token on each request.
import { session } from '#auth/session.ts'
import { first_load } from '#api/first-load.contracts.ts'
import { client, type Client, type Contract, type Send } from '#lib/contract.ts'
import { Problem } from '#problems.ts'
import { askTogether } from '#lib/together.ts'
import { sendFile } from '#lib/send-file.ts'

const send: Send = async (request, { file, progress } = {}) => {
  const token = await session.token()
  if (token) request.headers.set('authorization', `Bearer ${token}`)
  return file && progress ? sendFile(request, file, progress) : fetch(request)
}

/** All of a page's questions, of whatever feature. */
const together = askTogether(send)

export function apiOf<Contracts extends Record<string, Contract>>(contracts: Contracts) {
  const clients = Object.entries(contracts).map(([feature, contract]) => [
    feature,
    client(contract, together, window.location.origin),
  ])
  return Object.fromEntries(clients) as { [Feature in keyof Contracts]: Client<Contracts[Feature]> }
}

export const api = apiOf(first_load)

/** Proves in this session that its owner is there, as acts that can't be undone ask. Answers why it was not accepted. */
async function prove(proof: Record<string, string>): Promise<string | undefined> {
  const answer = await send(
    new Request('/auth/v1/confirmation', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(proof),
    }),
  )
  if (answer.ok) return undefined
  if (answer.status === 429) throw new Problem('too_many_requests')
  if (answer.status === 400 || answer.status === 404)
    return ((await answer.json()) as { error_code: string }).error_code
  throw new Problem(answer.status < 500 ? 'not_signed_in' : 'unavailable')
}

export async function confirmPassword(password: string) {
  if (await prove({ password }))
    throw new Problem('invalid_input', { fields: { password: ['This is not your password'] } })
}

/** Proves it by the code of a sign-in at the provider, with the verifier that began that sign-in. */
export const confirmByProvider = (proof: { auth_code: string; code_verifier: string }) =>
  prove(proof)
