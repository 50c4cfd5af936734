"""Orders, under the name most callers look for; they live in :mod:`opfor.orders`, where the rules can read them too."""

from opfor.orders import Attack, FireOrder, MoveOrder, Order, PhysicalOrder

__all__ = ["Attack", "FireOrder", "MoveOrder", "Order", "PhysicalOrder"]
