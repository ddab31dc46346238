import { beforeAll } from 'vitest'
import { dismissToast, visibleToasts } from '../../kit/web/src/ui/toasts.ts'

// Files of one worker share its modules; what one of them has shown must not be seen by the next.
beforeAll(() => {
  for (const { id } of visibleToasts.get()) dismissToast(id)
})
