// Proof by the company's provider, which is asked once more in a tab of its own, so that nothing typed here is lost. If no tab
// can be opened, this page goes there and comes back. The session goes on, and the code is good only with what the tab kept.
import { confirmByProvider } from '#api/api.ts'
import { paths } from '#paths.ts'
import { Failure, sentenceOf, showFailure } from '#ui/failure.ts'
import { toast } from '#ui/toast.ts'
import { comesBack, confirming_key } from './company-sign-in.ts'

/** `from`: the address to go back to, if this page itself went to the provider. */
type Confirming = { code_verifier: string; from?: string }

const textOf = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

export async function confirmThere(company_id: string, onConfirmed: () => void) {
  const code_verifier = textOf(crypto.getRandomValues(new Uint8Array(48)))
  keep({ code_verifier })
  // The tab opens within the press, as browsers refuse it later. It begins with a copy of this tab's session storage.
  const tab = window.open('', '_blank')
  forgetConfirming()
  try {
    const url = await addressThere(company_id, code_verifier)
    if (tab) {
      listen(code_verifier, onConfirmed)
      tab.location.replace(url)
    } else {
      const { pathname, search, hash } = window.location
      keep({ code_verifier, from: pathname + search + hash })
      window.location.assign(url)
      await comesBack()
    }
  } catch (error) {
    tab?.close()
    throw error
  }
}

const keep = (confirming: Confirming) =>
  sessionStorage.setItem(confirming_key, JSON.stringify(confirming))

/** A provider can be found by its company. */
async function addressThere(company_id: string, code_verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(code_verifier))
  const { origin } = window.location
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
  return ((await answer.json()) as { url: string }).url
}

/** Listens to the other tab of the confirmation. The channel is named by its verifier, which only the two tabs have. */
function listen(code_verifier: string, onConfirmed: () => void) {
  const channel = new BroadcastChannel(code_verifier)
  channel.addEventListener('message', ({ data }: MessageEvent<string | null>) => {
    channel.close()
    showOutcome(data)
    if (data === null) onConfirmed()
  })
}

function showOutcome(fault: string | null) {
  if (fault === null) toast('Confirmed. This works for 5 minutes')
  else showFailure(new Failure(fault))
}

const no_longer = 'Your company no longer signs in this way. Set a password in Settings'

export const isConfirming = () => sessionStorage.getItem(confirming_key) !== null
const forgetConfirming = () => sessionStorage.removeItem(confirming_key)

/** Tells the outcome, and answers the page to go back to; a tab of its own closes, or answers why it was not confirmed. */
export async function confirmed(
  code: string | null,
): Promise<{ from: string } | { fault: string | null }> {
  const kept = JSON.parse(sessionStorage.getItem(confirming_key) ?? '{}') as Confirming
  forgetConfirming()
  const fault = await faultOf(code, kept)
  if (kept.from) {
    showOutcome(fault)
    return { from: kept.from }
  }
  const channel = new BroadcastChannel(kept.code_verifier)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin
  channel.postMessage(fault)
  channel.close()
  window.close()
  return { fault }
}

async function faultOf(code: string | null, { code_verifier }: Confirming): Promise<string | null> {
  try {
    const refusal = code ? await confirmByProvider({ auth_code: code, code_verifier }) : 'refused'
    return refusal ? (refusals[refusal] ?? 'Your company’s provider did not confirm it') : null
  } catch (error) {
    return sentenceOf(error)
  }
}

const refusals: Record<string, string> = {
  reauthentication_needed:
    'Your company’s provider does not say that you signed in just now. Use a password: you can set one in Settings',
  user_mismatch: 'At your company’s provider you are signed in as somebody else',
}
