// A real OpenID provider (certified: oidc-provider) beside the product, and a browser without a screen that goes
// through it: it follows redirects, keeps cookies and presses its one button.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, importJWK, SignJWT, type JWK } from 'jose'
import { Provider as Oidc } from 'oidc-provider'

export type IdTokenClaims = Record<string, unknown>

export const oidc_client = { client_id: 'healthfund', client_secret: 'a secret of the provider' }

async function newKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const kid = randomUUID()
  return { ...(await exportJWK(privateKey)), kid, use: 'sig', alg: 'RS256' }
}

export async function openOidc(redirect_uris: string[]) {
  const people = new Map<string, IdTokenClaims>()
  /** The person as whom the next press of the button signs in. */
  const state = {
    who: '',
    acr: undefined as string | undefined,
    amr: undefined as string[] | undefined,
    /** How long they have been signed in there, where nobody asks that they prove it again. */
    since_seconds: 0,
    /** Some providers neither ask people again nor tell when they proved who they are. */
    keeps_silent: false,
  }
  let handle = async (_: IncomingMessage, answer: ServerResponse): Promise<void> =>
    void answer.end()
  const server = createServer((request, answer) => void handle(request, answer))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const open = (keys: JWK[]) => {
    const provider = new Oidc(issuer, {
      clients: [{ ...oidc_client, redirect_uris, id_token_signed_response_alg: 'RS256' }],
      jwks: { keys },
      cookies: { keys: ['for tests alone'] },
      pkce: { required: () => true },
      conformIdTokenClaims: false,
      claims: {
        openid: ['sub', 'sid', 'acr', 'amr', ...(state.keeps_silent ? [] : ['auth_time'])],
        email: ['email', 'email_verified'],
        profile: ['name', 'groups', 'preferred_username', 'upn'],
      },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_, { uid }) => `/press/${uid}` },
      findAccount: (_, id) => ({
        accountId: id,
        claims: async () => ({ sub: id, ...people.get(id) }),
      }),
      loadExistingGrant: async ({ oidc: { session, client } }) => {
        const grant = new provider.Grant({
          accountId: session!.accountId!,
          clientId: client!.clientId,
        })
        grant.addOIDCScope('openid email profile')
        await grant.save()
        return grant
      },
      renderError: (context, out) => {
        context.body = JSON.stringify(out)
      },
    })
    const callback = provider.callback()
    handle = async (request, answer) => {
      if (state.keeps_silent) request.url = request.url!.replace(/[?&]max_age=0/, '')
      if (!request.url!.startsWith('/press/')) return void callback(request, answer)
      if (request.method === 'GET') {
        answer.setHeader('content-type', 'text/html')
        return void answer.end(
          `<title>Provider</title><h1>${state.who}</h1><form method="post"><button>Sign in there</button></form>`,
        )
      }
      const { acr, amr, who, since_seconds } = state
      // The provider reads `max_age=0` as `prompt=login`.
      const { params } = await provider.interactionDetails(request, answer)
      const proven_ago = params['prompt'] === 'login' ? 0 : since_seconds
      const login = {
        accountId: who,
        remember: false,
        ts: Math.floor(Date.now() / 1000) - proven_ago,
        ...(acr ? { acr } : {}),
        ...(amr ? { amr } : {}),
      }
      return provider.interactionFinished(request, answer, { login })
    }
  }
  let key = await newKey()
  open([key])
  return {
    issuer,
    people,
    state,
    /** Signs with another key from now on; the first one is gone. */
    rotate: async () => {
      key = await newKey()
      open([key])
    },
    /** Sets `keeps_silent`. */
    keepSilent: (silent: boolean) => {
      state.keeps_silent = silent
      open([key])
    },
    /** A token of its own; a strange one is signed by nobody's key. */
    sign: async (claims: IdTokenClaims, { strange = false } = {}) => {
      const by = strange ? await newKey() : key
      return new SignJWT(claims)
        .setProtectedHeader({ alg: 'RS256', kid: key.kid!, typ: 'logout+jwt' })
        .sign(await importJWK(by))
    },
    close: () => server.close(),
  }
}

/** Goes on from an address until it would be back at the product; answers that address. */
export async function walk(from: string, home: string): Promise<string> {
  const cookies = new Map<string, string>()
  let next = from
  let form = false
  for (let step = 0; step < 12; step += 1) {
    if (next.startsWith(home)) return next
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(next, {
      method: form ? 'POST' : 'GET',
      headers: { cookie },
      redirect: 'manual',
    })
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const location = answer.headers.get('location')
    if (location) {
      next = new URL(location, next).href
      form = false
    } else if ((await answer.text()).includes('<form method="post">')) form = true
    else throw new Error(`${next} answered ${answer.status}`)
  }
  throw new Error(`${from} leads nowhere`)
}
