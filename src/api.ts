// The browser's way to the server: every contract as functions, with the session's token on each request.
import { session } from '#auth/session.ts'
import { contracts, type Contracts } from '#contracts.ts'
import { client, type Client, type Send } from '#lib/contract.ts'
import { Problem } from '#problems.ts'
import { sendFile } from '#lib/send-file.ts'

type Api = { [Feature in keyof Contracts]: Client<Contracts[Feature]> }

const send: Send = async (request, { file, progress } = {}) => {
  const token = await session.token()
  if (token) request.headers.set('authorization', `Bearer ${token}`)
  return file && progress ? sendFile(request, file, progress) : fetch(request)
}

const clients = Object.entries(contracts).map(([feature, contract]) => [
  feature,
  client(contract, send, window.location.origin),
])
export const api = Object.fromEntries(clients) as Api

/** Proves the password anew in this session: what can't be taken back asks for it. */
export async function confirmPassword(password: string) {
  const answer = await send(
    new Request('/auth/v1/confirmation', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ password }),
    }),
  )
  if (answer.ok) return
  if (answer.status === 429) throw new Problem('too_many_requests')
  if (answer.status !== 400)
    throw new Problem(answer.status < 500 ? 'not_signed_in' : 'unavailable')
  throw new Problem('invalid_input', { fields: { password: ['This is not your password'] } })
}
