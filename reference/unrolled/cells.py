"""One step of each operator, as the equations of the operator pages have it, for a whole batch: rows are sequences."""

from activations import apply


class Cell:
    """The parameters of one direction. products: a function (gate number, Xt, Ht-1) -> (Xt*(W^T), Ht-1*(R^T))."""

    def __init__(self, g, products, Wb, Rb, functions, clip):
        self.g, self.products, self.Wb, self.Rb, self.functions, self.clip = g, products, Wb, Rb, functions, clip

    def bounded(self, x):
        if self.clip is None:
            return x
        return self.g.node("Clip", x, self.g.number(-self.clip), self.g.number(self.clip))

    def activate(self, slot, x):
        return apply(self.g, self.functions[slot], self.bounded(x))

    def minus(self, a, b):
        return self.g.node("Sub", a, b)

    def times(self, a, b):
        return self.g.node("Mul", a, b)


class Rnn(Cell):
    def step(self, x, h, c):
        xw, hr = self.products(0, x, h)
        return self.activate(0, self.g.sum(xw, hr, self.Wb[0], self.Rb[0])), c


class Gru(Cell):
    linear_before_reset = False

    def step(self, x, h, c):
        z, r = (self.gate(k, x, h) for k in (0, 1))
        if self.linear_before_reset:
            xw, hr = self.products(2, x, h)
            inner = self.g.sum(xw, self.times(r, self.g.sum(hr, self.Rb[2])), self.Wb[2])
        else:
            xw, hr = self.products(2, x, self.times(r, h))
            inner = self.g.sum(xw, hr, self.Rb[2], self.Wb[2])
        candidate = self.activate(1, inner)
        one_minus_z = self.minus(self.g.number(1), z)
        return self.g.sum(self.times(one_minus_z, candidate), self.times(z, h)), c

    def gate(self, k, x, h):
        xw, hr = self.products(k, x, h)
        return self.activate(0, self.g.sum(xw, hr, self.Wb[k], self.Rb[k]))


class Lstm(Cell):
    peepholes = None  # for i, o, f
    coupled = False

    def step(self, x, h, c):
        i = self.activate(0, self.before("i", x, h, c))
        f = self.minus(self.g.number(1), i) if self.coupled else self.activate(0, self.before("f", x, h, c))
        candidate = self.activate(1, self.before("c", x, h, None))
        c_next = self.g.sum(self.times(f, c), self.times(i, candidate))
        o = self.activate(0, self.before("o", x, h, c_next))
        return self.times(o, self.activate(2, c_next)), c_next

    def before(self, gate, x, h, cell):
        k = "iofc".index(gate)
        xw, hr = self.products(k, x, h)
        total = self.g.sum(xw, hr, self.Wb[k], self.Rb[k])
        if cell is None:
            return total
        return self.g.sum(total, self.times(self.peepholes["iof".index(gate)], cell))
