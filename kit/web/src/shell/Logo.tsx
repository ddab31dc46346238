import { useState } from 'react'
import styles from './Logo.module.css'
import { useProductConfig } from './product.ts'

/**
 * The logo of the deployment and optionally its name. Falls back to the product logo if the configured one does not
 * load.
 */
export function Logo({ withName = false }: { withName?: boolean }) {
  const { logoUrl, title } = useProductConfig()
  const [failedUrl, setFailedUrl] = useState<string>()
  const own = logoUrl === '' || logoUrl === failedUrl
  return (
    <span className={styles.logo}>
      {own ? (
        <DefaultLogo />
      ) : (
        <img src={logoUrl} alt="" width={20} height={20} onError={() => setFailedUrl(logoUrl)} />
      )}
      {withName ? (
        <span className={styles.name} title={title}>
          {title}
        </span>
      ) : null}
    </span>
  )
}

function DefaultLogo() {
  return (
    <svg
      width="20"
      height="20"
      viewBox="0 0 20 20"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.7"
      strokeLinecap="round"
      aria-hidden="true"
      data-logo="default"
    >
      <path d="M10 1.8v3" opacity="0.55" />
      <path d="M1.6 9.4c1.4-1.7 2.8-1.7 4.2 0s2.8 1.7 4.2 0 2.8-1.7 4.2 0 2.8 1.7 4.2 0" opacity="0.6" />
      <path d="M1.6 14.6c1.4-1.7 2.8-1.7 4.2 0s2.8 1.7 4.2 0 2.8-1.7 4.2 0 2.8 1.7 4.2 0" />
    </svg>
  )
}
