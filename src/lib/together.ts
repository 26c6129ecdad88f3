// Questions asked in one turn, such as all of a page's, travel together: one request, one transaction, one answer.
import { z } from 'zod'
import { API, most_together, together, type CallOptions, type Send } from './contract.ts'

type WaitingRequest = {
  request: Request
  options: CallOptions | undefined
  settle: (answer: Promise<Response>) => void
}

const Answers = z.array(z.object({ status: z.int(), answer: z.unknown() }))

/** Collects questions until the end of the turn. A single question, and all that is no question, is sent as it is. */
export function askTogether(send: Send): Send {
  let waiting: WaitingRequest[] = []

  function goOut() {
    const all = waiting
    waiting = []
    for (let from = 0; from < all.length; from += most_together)
      void go(all.slice(from, from + most_together))
  }
  async function go(batch: WaitingRequest[]) {
    const alone = () =>
      batch.forEach(({ request, options, settle }) => settle(send(request, options)))
    if (batch.length === 1) return alone()
    const answered = send(new Request(addressOf(batch)))
    // An older server does not know the address yet: this happens while servers are replaced.
    if ((await answered.catch(() => undefined))?.status === 404) return alone()
    const answers = answered.then(async (response) => {
      if (response.ok) return Answers.parse(await response.json())
      const problem: unknown = await response.json().catch(() => null)
      return batch.map(() => ({ status: response.status, answer: problem }))
    })
    batch.forEach(({ settle }, at) =>
      settle(
        answers.then((each) => {
          const { status, answer } = each[at] ?? { status: 500, answer: null }
          return Response.json(answer, { status })
        }),
      ),
    )
  }
  return (request, options, endpoint) => {
    if (endpoint?.method !== 'GET' || endpoint.kind !== 'json') return send(request, options)
    return new Promise((resolve) => {
      if (waiting.length === 0) queueMicrotask(goOut)
      waiting.push({ request, options, settle: resolve })
    })
  }
}

function addressOf(batch: WaitingRequest[]): string {
  const { origin } = new URL(batch[0]?.request.url ?? '')
  const addresses = batch.map(({ request }) => {
    const { pathname, search } = new URL(request.url)
    return ['ask', pathname.slice(API.length) + search]
  })
  return `${origin}${API}${together}?${new URLSearchParams(addresses)}`
}
