document.querySelectorAll("table.sorts").forEach(function (table) {
  table.querySelectorAll("th").forEach(function (head, i) {
    var up = false;
    head.firstChild.onclick = function () {
      up = !up;
      var rows = Array.from(table.rows).slice(1);
      function key(row) {
        var text = row.cells[i].textContent, number = parseFloat(text);
        return isNaN(number) ? text : number;
      }
      rows.sort(function (a, b) {
        var x = key(a), y = key(b);
        if (typeof x != typeof y) { return typeof x == "number" ? -1 : 1; }
        return (x < y ? -1 : x > y ? 1 : 0) * (up ? 1 : -1);
      });
      rows.forEach(function (row) { row.parentNode.appendChild(row); });
    };
  });
});
