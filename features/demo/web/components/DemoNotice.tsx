import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useMatch } from 'react-router'
import IconX from '@tabler/icons-react/dist/esm/icons/IconX.mjs'
import { landingPath, useSession } from '@headwater/accounts/web'
import {
  Button,
  call,
  countOf,
  IconButton,
  isLimited,
  links,
  readStoredText,
  routeNames,
  routeKey,
  TextLink,
  writeStoredText,
} from '@headwater/web-kit'
import { getDemo } from '../../contract/index.ts'
import { RemoveDemoDialog } from './RemoveDemoDialog.tsx'
import styles from './DemoNotice.module.css'

/** Browser storage key; present if the user hid the notice. */
const dismissedKey = 'ng-demo-notice'

/**
 * Offers administrators the demo workspace and its removal, on their start page and on My account. Users who hide the notice
 * still find it on My account.
 */
export default function DemoNotice() {
  const [dismissed, setDismissed] = useState(() => readStoredText(dismissedKey) !== null)
  const { defaultPage } = useSession()
  const isStartPage = useMatch(landingPath(defaultPage) ?? links.insightList()) !== null
  const isMyAccount = useMatch(`/${routeNames.myAccount}`) !== null
  const hidden = !isMyAccount && (dismissed || !isStartPage)
  const [isConfirming, setConfirming] = useState(false)
  const demo = useQuery({
    queryKey: routeKey(getDemo, {}),
    queryFn: ({ signal }) => call(getDemo, {}, { signal }),
    enabled: !hidden,
    refetchInterval: ({ state }) => (state.data?.state === 'loading' && !isLimited() ? 2000 : false),
  })
  if (hidden || (demo.data?.state !== 'loaded' && demo.data?.state !== 'loading')) return null
  const dismiss = () => {
    writeStoredText(dismissedKey, 'dismissed')
    setDismissed(true)
  }
  const { insights, groups } = demo.data
  const dataGroups = groups.filter((name) => insights.every(({ groupName }) => groupName !== name))
  return (
    <aside className={styles.notice} aria-label="Demo workspace">
      {demo.data.state === 'loading' ? (
        <span>Loading the demo workspace…</span>
      ) : (
        <>
          <span>
            Explore the demo:{' '}
            <TextLink href={links.insightList()}>{countOf(insights.length, 'insight')}</TextLink>,{' '}
            <TextLink href={links.lake('groups')}>{countOf(dataGroups.length, 'data group')}</TextLink>
          </span>
          <Button size="small" variant="quiet" onClick={() => setConfirming(true)}>
            Remove the demo
          </Button>
          {isConfirming ? <RemoveDemoDialog onClose={() => setConfirming(false)} /> : null}
        </>
      )}
      {dismissed ? null : (
        <IconButton
          label="Hide this notice (My account still shows it)"
          icon={<IconX size={14} stroke={1.6} />}
          onClick={dismiss}
        />
      )}
    </aside>
  )
}
