import type { Router } from '@headwater/server-kit'
import {
  createGroup,
  deleteGroup,
  getGroup,
  getGroupContents,
  listGroups,
  listGroupTags,
  updateGroup,
} from '../contract/index.ts'
import type { GroupsService } from './groups-service.ts'

/** Registers the routes of groups. */
export function registerGroupsRoutes(router: Router, service: GroupsService): void {
  router.add(listGroups, ({ query }, { principal }) => service.list(principal, query))
  router.add(getGroup, ({ params }, { principal }) => service.get(principal, params.name))
  router.add(getGroupContents, ({ params }, { principal }) => service.countContents(principal, params.name))
  router.add(createGroup, ({ body }, { principal }) => service.create(principal, body))
  router.add(updateGroup, ({ params, body }, { principal }) => service.update(principal, params.name, body))
  router.add(deleteGroup, async ({ params }, { principal }) => {
    await service.remove(principal, params.name)
    return {}
  })
  router.add(listGroupTags, ({ query }, { principal }) => service.listTags(principal, query))
}
