import './theme.css'
import '#lib/no-eval.ts'
import '#ui/back-closes.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { Problem } from '#problems.ts'
import { queries } from '#ui/ask.ts'
import { Screens } from './routes.tsx'

// The parts that lock scrolling add a <style>; get-nonce, which they ask, reads this name.
const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content
Object.assign(globalThis, { __webpack_nonce__: nonce })

const root = document.getElementById('root')
if (!root) throw new Error('app.html has no #root')
/** No faults: a session that ended meanwhile leads to the sign-in, and what is not there the page says. */
const expected = ['not_signed_in', 'not_found']
function onCaughtError(error: unknown) {
  if (!(error instanceof Problem && expected.includes(error.code))) console.error(error)
}

createRoot(root, { onCaughtError }).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <BrowserRouter>
        <Screens />
      </BrowserRouter>
    </QueryClientProvider>
  </StrictMode>,
)
