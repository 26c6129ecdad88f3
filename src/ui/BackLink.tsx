import { ArrowLeft } from 'lucide-react'
import { Link } from 'react-router'

type Props = { to: string; children: string }

export const BackLink = ({ to, children }: Props) => (
  <Link to={to} className="inline-flex items-center gap-1 rounded hover:text-ink hover:underline">
    <ArrowLeft className="size-3.5" aria-hidden />
    {children}
  </Link>
)
