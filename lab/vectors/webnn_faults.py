"""Faults of the catalogue that WebNN's lstm and gru can have, as changes of a node's arrays, functions and outputs. The ids are the catalogue's."""

import dataclasses
import itertools

import numpy as np

from webnn import FUNCTIONS, GATES, run


def changed(**changes):
    """A fault that is another node: each named field becomes what the function gives of the node."""
    return lambda node: run(dataclasses.replace(node, **{name: change(node) for name, change in changes.items()}))


def blocks(array, count):
    """The gates' blocks of W, R or a bias, along axis 1."""
    return np.split(array, count, axis=1)


def reordered(field, gates, order):
    return lambda node: np.concatenate([blocks(getattr(node, field), len(gates))[order.index(gate)] for gate in gates], axis=1)


def with_block(field, gates, gate, change):
    """One gate's block replaced by what the function gives of all blocks, by letter."""

    def of(node):
        parts = dict(zip(gates, blocks(getattr(node, field), len(gates))))
        return np.concatenate([change(parts) if each == gate else parts[each] for each in gates], axis=1)

    return of


def times(field, factor):
    return lambda node: factor * getattr(node, field)


def other(field):
    return lambda node: getattr(node, field)


def orders(gates):
    parts = {"gate": ("w", "r", "wb", "rb"), "w": ("w",), "r": ("r",), "b": ("wb", "rb")}
    for order, (what, fields) in itertools.product(map("".join, itertools.permutations(gates)), parts.items()):
        if order != gates:
            yield f"{what}-order-{order}", changed(**{field: reordered(field, gates, order) for field in fields})


def weights(gates):
    for gate in gates:
        for field, what in (("w", "w-of-gate-{}-ignored"), ("r", "r-of-gate-{}-ignored"), ("wb", "wb-{}-ignored"), ("rb", "rb-{}-ignored")):
            yield what.format(gate), changed(**{field: with_block(field, gates, gate, lambda parts, gate=gate: 0 * parts[gate])})
        yield f"r-not-transposed-in-{gate}", changed(r=with_block("r", gates, gate, lambda parts, gate=gate: parts[gate].transpose(0, 2, 1)))
        for taken in gates:
            if taken != gate:
                copy = lambda parts, taken=taken: parts[taken]
                yield f"weights-of-gate-{taken}-for-{gate}", changed(**{field: with_block(field, gates, gate, copy) for field in ("w", "r", "wb", "rb")})
    yield "r-not-transposed", changed(r=lambda node: np.concatenate([each.transpose(0, 2, 1) for each in blocks(node.r, len(gates))], axis=1))
    yield "input-weights-ignored", changed(w=times("w", 0))
    yield "recurrent-weights-ignored", changed(r=times("r", 0))


def biases():
    for what, factor in (("ignored", 0), ("doubled", 2), ("negated", -1)):
        yield f"bias-{what}", changed(wb=times("wb", factor), rb=times("rb", factor))
        yield f"wb-{what}", changed(wb=times("wb", factor))
        yield f"rb-{what}", changed(rb=times("rb", factor))
    yield "rb-for-wb", changed(wb=other("rb"))
    yield "wb-for-rb", changed(rb=other("wb"))


def of_lstm():
    for what, factor in (("ignored", 0), ("negated", -1)):
        yield f"initial-c-{what}", changed(c=times("c", factor))
    yield "initial-h-for-c", changed(c=other("h"))
    yield "initial-c-for-h", changed(h=other("c"))
    yield "initial-states-exchanged", changed(h=other("c"), c=other("h"))
    for what, factor in (("ignored", 0), ("doubled", 2), ("negated", -1)):
        yield f"peepholes-{what}", changed(p=times("p", factor))
    for gate in "iof":
        yield f"peephole-{gate}-missing", changed(p=with_block("p", "iof", gate, lambda parts, gate=gate: 0 * parts[gate]))
    for order in map("".join, itertools.permutations("iof")):
        if order != "iof":
            yield f"peephole-order-{order}", changed(p=reordered("p", "iof", order))
    yield "g-and-h-exchanged", changed(functions=lambda node: [node.functions[k] for k in (0, 2, 1)])
    yield "g-for-h", changed(functions=lambda node: [node.functions[k] for k in (0, 1, 1)])
    yield "h-skipped", changed(functions=lambda node: [*node.functions[:2], lambda x: x])
    yield "y-c-is-zero", lambda node: {**run(node), node.outputs[1]: 0 * run(node)[node.outputs[1]]}
    yield "y-c-is-y-h", lambda node: {**run(node), node.outputs[1]: run(node)[node.outputs[0]]}
    yield "y-h-and-y-c-exchanged", lambda node: {**run(node), **dict(zip(node.outputs[:2], [run(node)[name] for name in node.outputs[1::-1]]))}


def of_gru():
    yield "bias-halves-exchanged", changed(wb=other("rb"), rb=other("wb"))
    yield "linear-before-reset-always", changed(reset_after=lambda node: True)
    yield "linear-before-reset-ignored", changed(reset_after=lambda node: False)


def functions():
    """Default functions whatever the node says, functions exchanged, and one function taken for another."""
    defaults = [FUNCTIONS["sigmoid"], FUNCTIONS["tanh"], FUNCTIONS["tanh"]]
    yield "activations-ignored", changed(functions=lambda node: defaults[: len(node.functions)])
    yield "f-and-g-exchanged", changed(functions=lambda node: [node.functions[1], node.functions[0], *node.functions[2:]])
    shapes = {**FUNCTIONS, "identity": lambda x: x}
    for taken, given in itertools.product(FUNCTIONS, shapes):
        if taken != given:
            swap = lambda node, taken=taken, given=given: [shapes[given] if each is FUNCTIONS[taken] else each for each in node.functions]
            yield f"{taken}-as-{given}", changed(functions=swap)


def inputs_and_states():
    for what, factor in (("ignored", 0), ("negated", -1)):
        yield f"initial-h-{what}", changed(h=times("h", factor))
    yield "states-of-first-sequence", changed(h=lambda node: node.h[:, :1].repeat(node.h.shape[1], 1), c=lambda node: node.c[:, :1].repeat(node.c.shape[1], 1))
    yield "y-h-is-zero", lambda node: {**run(node), node.outputs[0]: 0 * run(node)[node.outputs[0]]}


def taken_from(field, wanted):
    """An array with each direction's part taken from the wanted one; as it is where there is one direction."""
    return lambda node: getattr(node, field)[wanted] if len(node.backward) == 2 else getattr(node, field)


def directions():
    fields = {"w": ["w"], "r": ["r"], "weights": ["w", "r"], "bias": ["wb", "rb"], "peepholes": ["p"], "initial-states": ["h", "c"]}
    for what, names in fields.items():
        pick = lambda wanted, names=names: changed(**{field: taken_from(field, wanted) for field in names})
        yield f"directions-exchanged-in-{what}", pick([1, 0])
        if what != "initial-states":
            yield f"backward-takes-forward-{what}", pick([0, 0])
            yield f"forward-takes-backward-{what}", pick([1, 1])
    yield "backward-not-reversed", changed(backward=lambda node: [False] * len(node.backward) if len(node.backward) == 2 else node.backward)
    yield "direction-ignored", changed(backward=lambda node: [False] if len(node.backward) == 1 else node.backward)
    yield "directions-swapped-in-y-h", lambda node: {**run(node), node.outputs[0]: run(node)[node.outputs[0]][::-1]}


def faults(operation, catalogue):
    """Those of the catalogue's ids that an operation can have: id -> the outputs of a node by name."""
    own = {"lstm": of_lstm, "gru": of_gru}[operation]
    families = (orders(GATES[operation]), weights(GATES[operation]), biases(), own(), functions(), inputs_and_states(), directions())
    return {name: fault for name, fault in itertools.chain(*families) if name in catalogue and not (operation == "gru" and "peephole" in name)}
