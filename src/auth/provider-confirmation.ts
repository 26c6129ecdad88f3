// Proof by the company's provider, for those without a password: there, asked once more, and back to the page where they
// were. The session here goes on; the code counts only with what this tab kept.
import { confirmByProvider } from '#api/api.ts'
import { paths } from '#paths.ts'
import { Failure, showFailure } from '#ui/failure.ts'
import { toast } from '#ui/toast.ts'
import { comesBack, confirming_key } from './company-sign-in.ts'

type Confirming = { code_verifier: string; from: string }

const textOf = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** A provider is found by its company, too. */
export async function confirmThere(company_id: string) {
  const code_verifier = textOf(crypto.getRandomValues(new Uint8Array(48)))
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(code_verifier))
  const { origin, pathname, search, hash } = window.location
  const answer = await fetch(`${origin}/auth/v1/sso`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      provider_id: company_id,
      redirect_to: origin + paths.sso,
      skip_http_redirect: true,
      fresh: true,
      code_challenge: textOf(new Uint8Array(digest)),
      code_challenge_method: 's256',
    }),
  })
  if (answer.status === 404) throw new Failure(no_longer)
  if (!answer.ok) throw new Failure('Your company’s provider does not answer. Please try again')
  const confirming: Confirming = { code_verifier, from: pathname + search + hash }
  sessionStorage.setItem(confirming_key, JSON.stringify(confirming))
  window.location.assign(((await answer.json()) as { url: string }).url)
  await comesBack()
}

const no_longer = 'Your company no longer signs in this way. Set a password in Settings'

export const isConfirming = () => sessionStorage.getItem(confirming_key) !== null
const forgetConfirming = () => sessionStorage.removeItem(confirming_key)

/** Tells what came of it, and answers where they were. */
export async function confirmed(code: string | null): Promise<string> {
  const kept = JSON.parse(sessionStorage.getItem(confirming_key) ?? '{}') as Confirming
  forgetConfirming()
  try {
    const refusal = code
      ? await confirmByProvider({ auth_code: code, code_verifier: kept.code_verifier })
      : 'refused'
    if (refusal)
      throw new Failure(refusals[refusal] ?? 'Your company’s provider did not confirm it')
    toast('Confirmed. This works for 5 minutes')
  } catch (error) {
    showFailure(error)
  }
  return kept.from
}

const refusals: Record<string, string> = {
  reauthentication_needed:
    'Your company’s provider does not say that you signed in just now. Set a password in Settings',
  user_mismatch: 'At your company’s provider you are signed in as somebody else',
}
