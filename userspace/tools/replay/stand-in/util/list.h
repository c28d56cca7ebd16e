/* SPDX-License-Identifier: MIT */
/* Replaces Mesa's header of the same name: circular, doubly linked lists. */
#ifndef NV3_REPLAY_LIST_H
#define NV3_REPLAY_LIST_H

#include <stddef.h>

struct list_head {
	struct list_head *prev, *next;
};

static inline void list_inithead(struct list_head *head)
{
	head->prev = head;
	head->next = head;
}

static inline void list_insert(struct list_head *item, struct list_head *prev,
			       struct list_head *next)
{
	item->prev = prev;
	item->next = next;
	prev->next = item;
	next->prev = item;
}

static inline void list_add(struct list_head *item, struct list_head *head)
{
	list_insert(item, head, head->next);
}

static inline void list_addtail(struct list_head *item, struct list_head *head)
{
	list_insert(item, head->prev, head);
}

static inline void list_del(struct list_head *item)
{
	item->prev->next = item->next;
	item->next->prev = item->prev;
	item->prev = NULL;
	item->next = NULL;
}

#define list_item(link, type, member) \
	((type *)((char *)(link) - offsetof(type, member)))
#define list_first_entry(head, type, member)	list_item((head)->next, type, member)
#define list_for_each_entry(type, item, head, member) \
	for (type *item = list_item((head)->next, type, member); \
	     &item->member != (head); \
	     item = list_item(item->member.next, type, member))
#define list_for_each_entry_safe(type, item, head, member) \
	for (type *item = list_item((head)->next, type, member), \
		  *item##_next = list_item(item->member.next, type, member); \
	     &item->member != (head); \
	     item = item##_next, item##_next = list_item(item->member.next, type, member))

#endif
