import { Button } from '#ui/Button.tsx'
import { AuthFrame } from './AuthFrame.tsx'
import { useAuth } from './context.ts'
import { TwoStep } from './TwoStep.tsx'

/** The page between a right password and the second step. */
export function TwoStepPage() {
  const { reload, signOut } = useAuth()
  return (
    <AuthFrame
      title="Two-step verification"
      description="One more step to make sure that it is you."
      footer={
        <Button variant="quiet" size="small" className="-ml-2.5" onClick={() => void signOut()}>
          Logout
        </Button>
      }
    >
      <TwoStep onDone={reload} />
    </AuthFrame>
  )
}
