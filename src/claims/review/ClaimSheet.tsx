import { Sheet } from '#ui/Dialog.tsx'
import { useDeciding } from './deciding.tsx'
import { ReviewPanel } from './ReviewPanel.tsx'

type Props = { id: number; onClose: () => void }

const stay = () => () => {}

/** A claim to decide on outside of its queue, with all that the reviewer sees and can do there. */
export function ClaimSheet({ id, onClose }: Props) {
  const { decide, dialogs } = useDeciding(stay)
  return (
    <>
      <Sheet wide open onClose={onClose} title={`Claim #${id}`}>
        {/* Single keys don't act in a dialog, so none are named. */}
        <div data-two-panes className="absolute inset-0 [&_kbd]:hidden">
          <ReviewPanel id={id} decide={decide} />
        </div>
      </Sheet>
      {dialogs}
    </>
  )
}
