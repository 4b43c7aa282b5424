"""Does an answer have the shape that a client reads?

A shape is a type (str, int, float, bool; float takes whole numbers too, int takes no bool), None for null, a
value that must stand there, a tuple of alternatives, a list of one shape for all elements, an object with a shape
for each member (a name that ends with "?" may be absent), or Map(shape) for an object with any names.
"""

from harness import Failure


class Map:
    def __init__(self, of):
        self.of = of


def fits(value, shape, at="answer"):
    """Fail with the first place that does not fit. Members without a shape are allowed."""
    why = _fault(value, shape, at)
    if why:
        raise Failure(why)


def exactly(value, shape, at="answer"):
    """The same, and an object has no other members than those named."""
    fits(value, shape, at)
    for one in value if isinstance(value, list) else [value]:
        other = set(one) - {n.rstrip("?") for n in (shape[0] if isinstance(shape, list) else shape)}
        if other:
            raise Failure("%s: unexpected members %s" % (at, sorted(other)))


def _fault(value, shape, at):
    if isinstance(shape, tuple):
        faults = [_fault(value, s, at) for s in shape]
        return None if None in faults else faults[0]
    if isinstance(shape, Map):
        if not isinstance(value, dict):
            return "%s: %r is no object" % (at, value)
        return _first(_fault(v, shape.of, "%s[%r]" % (at, k)) for k, v in value.items())
    if isinstance(shape, list):
        if not isinstance(value, list):
            return "%s: %r is no list" % (at, value)
        return _first(_fault(v, shape[0], "%s[%d]" % (at, i)) for i, v in enumerate(value))
    if isinstance(shape, dict):
        if not isinstance(value, dict):
            return "%s: %r is no object" % (at, value)
        return _first(_member(value, name, of, at) for name, of in shape.items())
    if isinstance(shape, type):
        ok = isinstance(value, (int, float) if shape is float else shape)
        if ok and shape in (int, float):
            ok = not isinstance(value, bool)
        return None if ok else "%s: %r is no %s" % (at, value, shape.__name__)
    return None if value == shape and type(value) is type(shape) else "%s: %r instead of %r" % (at, value, shape)


def _member(value, name, of, at):
    bare = name.rstrip("?")
    if bare not in value:
        return None if bare != name else "%s: %s is missing" % (at, bare)
    return _fault(value[bare], of, "%s.%s" % (at, bare))


def _first(faults):
    return next((f for f in faults if f), None)
