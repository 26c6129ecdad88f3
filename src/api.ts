// The browser's way to the server: every contract as functions, with the session's token on each request.
import { session } from '#auth/session.ts'
import { users } from '#users/users.contract.ts'
import { client, type Send } from '#lib/contract.ts'

const send: Send = async (request) => {
  const token = await session.token()
  if (token) request.headers.set('authorization', `Bearer ${token}`)
  return fetch(request)
}

const { origin } = window.location

export const api = {
  users: client(users, send, origin),
}
