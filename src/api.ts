// The browser's way to the server: every contract as functions, with the session's token on each request.
import { session } from '#auth/session.ts'
import { contracts, type Contracts } from '#contracts.ts'
import { client, type Client, type Send } from '#lib/contract.ts'

type Api = { [Feature in keyof Contracts]: Client<Contracts[Feature]> }

const send: Send = async (request) => {
  const token = await session.token()
  if (token) request.headers.set('authorization', `Bearer ${token}`)
  return fetch(request)
}

const clients = Object.entries(contracts).map(([feature, contract]) => [
  feature,
  client(contract, send, window.location.origin),
])
export const api = Object.fromEntries(clients) as Api
