// Passkeys as a second step: what a browser is asked, and whether it answered well.
import type {
  AuthenticationResponseJSON,
  AuthenticatorTransport,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import type { Auth } from './auth.server.ts'
import type { Members } from './body.server.ts'
import { invalid } from './failure.server.ts'
import type { FactorRow, UserRow } from './users.server.ts'

export type Ceremony = 'create' | 'request'
export type Credential = NonNullable<FactorRow['credential']>
type Response = { type: Ceremony; credential_response: Members }

// EdDSA, ES256 and RS256: what every browser knows.
const algorithms = [-8, -7, -257]

// Large, and needed by few: loaded with the first passkey.
const library = () => import('@simplewebauthn/server')

// The relying party is this product, whatever a request says about itself.
const party = ({ settings }: Auth) => {
  const { hostname, origin } = new URL(settings.site_url)
  return { rpID: hostname, origins: [origin, ...settings.cors_origins] }
}

type KnownCredential = { id: string; transports?: AuthenticatorTransport[] }
const known = ({ id, transports }: Credential): KnownCredential => ({
  id,
  ...(transports ? { transports: transports as AuthenticatorTransport[] } : {}),
})

/** A factor not yet verified makes a new passkey; a verified one has to use its own. */
export async function beginCeremony(auth: Auth, user: UserRow, factor: FactorRow) {
  const { generateRegistrationOptions, generateAuthenticationOptions } = await library()
  const { rpID } = party(auth)
  if (factor.status === 'verified' && factor.credential) {
    const options = await generateAuthenticationOptions({
      rpID,
      allowCredentials: [known(factor.credential)],
      userVerification: 'preferred',
    })
    return shown('request', options.challenge, options)
  }
  const others = await auth.sql<{ credential: Credential }[]>`
    select credential from auth.factors where user_id = ${user.id} and credential is not null`
  const name = user.email ?? user.phone ?? user.id
  const options = await generateRegistrationOptions({
    rpName: 'Healthfund',
    rpID,
    userName: name,
    userDisplayName: name,
    userID: new TextEncoder().encode(user.id),
    excludeCredentials: others.map(({ credential }) => known(credential)),
    supportedAlgorithmIDs: algorithms,
  })
  return shown('create', options.challenge, options)
}

const shown = (type: Ceremony, challenge: string, publicKey: object) => ({
  challenge,
  shown: { type, credential_options: { publicKey } },
})

const base64url = /^[\w-]+=*$/
const isBase64url = (value: unknown) => typeof value === 'string' && base64url.test(value)

/** The credential that a browser hands over, if it looks like one. */
export function readCeremony(config: Members | undefined): Response {
  if (!config) throw invalid('WebAuthn config required')
  const { type, credential_response } = config
  if (type !== 'create' && type !== 'request') {
    throw invalid('WebAuthn type must be create or request')
  }
  if (!credential_response) throw invalid('credential_response required')
  const { id, rawId, type: kind, response } = credential_response as Members
  const parts = (response ?? {}) as Members
  const signed = type === 'create' ? parts['attestationObject'] : parts['authenticatorData']
  const strings = [id, rawId, parts['clientDataJSON'], signed]
  if (type === 'request') strings.push(parts['signature'])
  if (kind !== 'public-key' || !strings.every(isBase64url))
    throw invalid('Invalid credential_response')
  // Browsers' own members we don't need may be missing in what older clients send.
  const extensions = (credential_response as Members)['clientExtensionResults'] ?? {}
  const complete = { ...(credential_response as Members), clientExtensionResults: extensions }
  return { type, credential_response: complete }
}

/** The passkey as it is to be kept from now on, or nothing if the answer doesn't prove it. */
export async function finishCeremony(
  auth: Auth,
  factor: FactorRow,
  challenge: string,
  { type, credential_response }: Response,
): Promise<Credential | undefined> {
  try {
    return type === 'create'
      ? await verifyNewPasskey(auth, challenge, credential_response)
      : await verifyPasskey(auth, factor, challenge, credential_response)
  } catch (error) {
    auth.log.info({ reason: error instanceof Error ? error.message : '' }, 'a passkey was refused')
    return undefined
  }
}

async function verifyNewPasskey(auth: Auth, challenge: string, sent_credential: Members) {
  const { verifyRegistrationResponse } = await library()
  const { rpID, origins } = party(auth)
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: sent_credential as unknown as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: origins,
    expectedRPID: rpID,
    requireUserVerification: false,
    supportedAlgorithmIDs: algorithms,
  })
  if (!verified) return undefined
  const { id, publicKey, counter, transports } = registrationInfo.credential
  const public_key = Buffer.from(publicKey).toString('base64url')
  return { id, public_key, counter, ...(transports ? { transports } : {}) }
}

async function verifyPasskey(
  auth: Auth,
  factor: FactorRow,
  challenge: string,
  sent_credential: Members,
) {
  const { credential } = factor
  if (!credential) return undefined
  const { verifyAuthenticationResponse } = await library()
  const { rpID, origins } = party(auth)
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: sent_credential as unknown as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: origins,
    expectedRPID: rpID,
    requireUserVerification: false,
    credential: {
      ...known(credential),
      publicKey: new Uint8Array(Buffer.from(credential.public_key, 'base64url')),
      counter: credential.counter,
    },
  })
  return verified ? { ...credential, counter: authenticationInfo.newCounter } : undefined
}
