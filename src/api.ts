// The browser's way to the server: every contract as functions, with the session's token on each request.
import { session } from '#auth/session.ts'
import { contracts, type Contracts } from '#contracts.ts'
import { client, type Client, type Send } from '#lib/contract.ts'
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
