import { useState, type ReactNode } from 'react'
import { CopyButton } from '#ui/CopyButton.tsx'
import { Failed } from '#ui/Empty.tsx'
import { Skeleton } from '#ui/Skeleton.tsx'
import { AppCode } from './AppCode.tsx'
import { ConfirmYou } from './ConfirmYou.tsx'
import { freeName, refusalOf } from './factor-calls.ts'
import { FirstCodes } from './FirstCodes.tsx'
import { auth } from './session.ts'
import { useMadeOnce } from './made-once.ts'

const UNEXPECTED = 'The authenticator app could not be set up. Please try again'

async function enroll() {
  const { data, error } = await auth.mfa.enroll({
    factorType: 'totp',
    friendlyName: await freeName('Authenticator app'),
    issuer: 'Healthfund',
  })
  if (error) throw refusalOf(error, UNEXPECTED)
  return data
}

type Props = { why: ReactNode; onDone: () => unknown }

/** An authenticator app is set up, and with the first one come the recovery codes. */
export function EnrollTwoStep({ why, onDone }: Props) {
  const [proven, setProven] = useState(false)
  const { made: enrolled, fault, confirming, make, begin } = useMadeOnce(enroll)

  if (proven) return <FirstCodes onDone={onDone} />
  if (confirming) return <ConfirmYou onDone={make} />
  if (fault) return <Failed sentence={fault} onRetry={() => void begin()} />
  return (
    <div className="flex flex-col gap-6">
      <p className="text-sm text-soft">{why}</p>
      <div className="flex flex-wrap items-center gap-5">
        <div className="size-40 shrink-0 overflow-hidden rounded-card border border-line bg-white p-2">
          {enrolled ? (
            <img src={enrolled.totp.qr_code} alt="QR code for your authenticator app" />
          ) : (
            <Skeleton className="size-full" />
          )}
        </div>
        <div className="flex min-w-0 flex-1 basis-40 flex-col items-start gap-2 text-ui text-soft">
          <p>No camera? Type this key into the app:</p>
          {enrolled ? (
            <>
              <code className="font-mono text-xs break-all text-ink">{enrolled.totp.secret}</code>
              <CopyButton text={enrolled.totp.secret} label="Copy key" />
            </>
          ) : (
            <Skeleton className="h-8 w-full" />
          )}
        </div>
      </div>
      {enrolled && <AppCode factor_ids={[enrolled.id]} onDone={() => setProven(true)} />}
    </div>
  )
}
