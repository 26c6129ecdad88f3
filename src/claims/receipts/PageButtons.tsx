import { ChevronLeft, ChevronRight, ZoomIn, ZoomOut } from 'lucide-react'
import { IconButton } from '#ui/Button.tsx'
import { zooms } from './page-room.ts'

export const Zooms = ({ step, onStep }: { step: number; onStep: (step: number) => void }) => (
  <>
    <IconButton
      size="small"
      label="Zoom out"
      disabled={step === 0}
      icon={ZoomOut}
      onClick={() => onStep(step - 1)}
    />
    <IconButton
      size="small"
      label="Zoom in"
      disabled={step === zooms.length - 1}
      icon={ZoomIn}
      onClick={() => onStep(step + 1)}
    />
  </>
)

type PagesProps = { page: number; pages: number; onPage: (page: number) => void }

/** Nothing for a receipt of one page. */
export const Pages = ({ page, pages, onPage }: PagesProps) =>
  pages > 1 && (
    <span className="ml-1 flex shrink-0 items-center gap-0.5 border-l border-line pl-1">
      <IconButton
        size="small"
        label="Previous page"
        disabled={page === 1}
        icon={ChevronLeft}
        onClick={() => onPage(page - 1)}
      />
      <span aria-live="polite" className="figures px-1 text-ui text-soft">
        {page} of {pages}
      </span>
      <IconButton
        size="small"
        label="Next page"
        disabled={page === pages}
        icon={ChevronRight}
        onClick={() => onPage(page + 1)}
      />
    </span>
  )
