import { Boundary } from '#ui/Boundary.tsx'
import { Sheet } from '#ui/Dialog.tsx'
import { MyClaim } from './MyClaimPage.tsx'

type Props = { id: number; onClose: () => void }

/** One's claim away from its page, with what one can do about it. */
export const MyClaimSheet = ({ id, onClose }: Props) => (
  <Sheet wide open onClose={onClose} title={`Claim #${id}`}>
    <Boundary>
      <div className="flex flex-col gap-6 pt-4 lg:pt-6">
        <MyClaim id={id} />
      </div>
    </Boundary>
  </Sheet>
)
