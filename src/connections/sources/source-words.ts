// The outcomes of fetching a list of employees, in words.
import { isProblemCode, problems } from '#problems.ts'
import type { BadgeTone } from '#ui/Badge.tsx'
import type { Source } from './sources.contract.ts'

export const appliesWords: Record<Source['applies'], string> = {
  ask: 'Nothing is applied until an admin has checked it',
  changes: 'New employees and changes are applied, nobody leaves',
  all: 'Everything is applied; people missing from the file leave, within your limit',
}

export const outcomeWords: Record<Source['fetches'][number]['outcome'], [string, BadgeTone]> = {
  same: ['Same file', 'neutral'],
  nothing: ['Nothing to change', 'neutral'],
  compared: ['Compared', 'accent'],
  applied: ['Applied', 'good'],
  waiting: ['Waiting for approval', 'accent'],
  failed: ['Failed', 'bad'],
}

const faults: Record<string, string> = {
  address: 'The address is not on the public internet',
  name: 'No server has this name',
  certificate: 'The server’s certificate is not valid',
  connection: 'The server can’t be reached, or broke the connection',
  time: 'It took longer than two minutes',
  login: 'The server refused the login',
  host_key_new: 'The server’s key has to be checked first',
  host_key: 'The server’s key is not the one you trust',
  no_file: 'There is no file at this address',
  cut: 'The file was incomplete: it was being written, or the connection broke',
  too_large: 'The file is larger than 64 MB',
  answer: 'The server answered with an error',
  redirect: 'The server redirects to another address: enter that one',
}

export const faultWord = (fault: string) =>
  faults[fault] ?? (isProblemCode(fault) ? problems[fault][1] : fault)
