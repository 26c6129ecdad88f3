// Which version this is: package.json says it, and nothing else does.
import own from '../../package.json' with { type: 'json' }

export const { version } = own
