import './parts.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { queries } from '#ui/ask.ts'
import { Toaster } from '#ui/Toaster.tsx'
import { PartsPage } from './PartsPage.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(
  <QueryClientProvider client={queries}>
    <BrowserRouter>
      <PartsPage />
      <Toaster />
    </BrowserRouter>
  </QueryClientProvider>,
)
