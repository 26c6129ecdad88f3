import { problems } from '#problems.ts'
import type { Provider } from './sso.contract.ts'

/** The reason why a change waits, behind what it would be; nothing while the provider may be changed. */
export const whileOn = (change: string, provider: Provider | null | undefined): string =>
  provider?.refusals.change ? `${change}: ${problems[provider.refusals.change][1]}.` : ''
